"""Shared by the tests of the command. With it, the models of tests/model can be imported."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parents[2] / "model"))
