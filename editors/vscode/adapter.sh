#!/bin/sh
# An editor starts programs of an extension by their paths in it; `hemiola` is on the user's path.
exec hemiola debug
