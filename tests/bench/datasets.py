"""The data sets: what they are called, how mkdata makes them, where they lie."""

import os
import subprocess
from dataclasses import dataclass


@dataclass(frozen=True)
class Dataset:
    name: str  # how the tables call it
    dtype: str  # mkdata's and onepass's name of the type
    generator: str  # mkdata's, with the seed
    element_bytes: int
    loop: str  # what the yardstick calls the type

    def nelems(self, nbytes):
        return nbytes // self.element_bytes

    def path(self, directory, mib):
        kind, seed = self.generator.split(":")
        return f"{directory}/{kind}{seed}-{mib}.{self.dtype}"


DATASETS = {
    key: Dataset(*fields)
    for key, fields in {
        "f32": ("f32 N(0,1)", "f32", "normal:1", 4, "f32"),
        "f64": ("f64 N(0,1)", "f64", "normal:2", 8, "f64"),
        "lognormal": ("f32 lognormal(0,4)", "f32", "lognormal:3", 4, "f32"),
        "holes": ("f32 N(0,1), 30 % NaN", "f32", "holes:4", 4, "f32"),
        "random32": ("f32 random bits", "f32", "rand:5", 4, "f32"),
        "random64": ("f64 random bits", "f64", "rand:6", 8, "f64"),
        "f16": ("f16 N(0,1)", "f16", "normal:7", 2, "f16"),
        "i16": ("i16 random bits", "i16", "rand:8", 2, "i16"),
        "f32be": ("f32be N(0,1)", "f32be", "normal:1", 4, "f32be"),
    }.items()
}


def make(dataset, mkdata, directory, mib):
    """Makes the data set if it is not there yet."""
    path = dataset.path(directory, mib)
    nbytes = mib << 20
    if os.path.exists(path) and os.path.getsize(path) == nbytes:
        return
    os.makedirs(directory, exist_ok=True)
    with open(path + ".new", "wb") as out:
        item = f"{dataset.generator}:{dataset.nelems(nbytes)}"
        subprocess.run([mkdata, dataset.dtype, item], stdout=out, check=True)
    os.rename(path + ".new", path)
