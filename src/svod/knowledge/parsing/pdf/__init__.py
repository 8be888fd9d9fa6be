"""PDF: the text of every page from PDFium, with headings and tables as hints from pdf-inspector.

PDFium finds the most text, pdf-inspector the most structure; a hint counts only where its words
are found again in the lines that PDFium read.
"""
