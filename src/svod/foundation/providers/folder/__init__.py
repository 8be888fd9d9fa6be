"""A model of the operator's own, from a folder: ONNX graph, SentencePiece vocabulary, `svod.json`.

Takes a folder; gives an `Embedder`. Promises that the card's name holds the sha256 of every file
that the vectors depend on, and that nothing in the folder is run as code.
"""
