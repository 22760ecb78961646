"""The playground in the browser: run a visit, watch and hear it, read its card, review what is disputed.

It is long because it is many pages; each is a route, a template and the part of the room it shows. All of them share
one database, one way to sign in and one queue.
"""
