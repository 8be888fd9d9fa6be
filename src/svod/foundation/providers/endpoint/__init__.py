"""Vectors from an OpenAI-compatible endpoint: one POST, checked, tried again, questions first.

Takes an `EndpointSource`; gives an `Embedder`. What the model is (its dimensions, the moments of
its vectors) is learned from its first reply. Promises that no reply is believed unseen: the count,
the dimensions and every number are checked, and vectors leave here with unit length.
"""
