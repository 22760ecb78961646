"""The wire to an agent, one file each.

A file is one wire; what they share (bounds, play-out, peers) is small beside them. The room grows with each wire.
"""
