# SPDX-License-Identifier: MIT
"""Reads an HDF5 file of `reeve sweep` with h5py, as its users do: readers.py FILE SAME_STUDY_BY_OTHER_WORKERS."""
import sys

import h5py
import numpy as np

RUNS = 24


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def main():
    file, other = h5py.File(sys.argv[1], "r"), h5py.File(sys.argv[2], "r")
    assert text(file.attrs["format"]) == "reeve sweep"
    assert text(file.attrs["title"]) == "Überlast µ"
    assert file.attrs["runs"] == RUNS and file.attrs["seed"] == 3
    assert "pendulum.yaml" in text(file["study"][()]) and "bodies" in text(file["scene"][()])

    mass, peak, status = file["parameters/mass"][:], file["figures/peak"][:], file["runs/status"][:]
    assert mass.shape == peak.shape == status.shape == (RUNS,)
    assert text(file["parameters/mass"].attrs["unit"]) == "t"
    assert text(file["figures/peak"].attrs["unit"]) == "N"
    assert {text(m) for m in file["parameters/model"][:]} <= {"massless", "layered"}
    # a mass that is not positive is a run that failed, with its message
    assert np.array_equal(status, np.where(mass > 0, 1, 4))
    failures = file["failures/run"][:]
    assert np.array_equal(failures, np.flatnonzero(mass <= 0)) and len(failures) > 0
    assert all("bodies.load.mass" in text(m) for m in file["failures/message"][:])
    assert np.all(np.isnan(peak[mass <= 0])) and np.all(np.isfinite(peak[mass > 0]))
    # a pendulum let go at 30 degrees: mg cos 30 and more, never mg (3 - 2 cos 30)
    good = peak[mass > 0] / (9810.0 * mass[mass > 0])
    assert np.all(good > 0.86) and np.all(good < 1.4), good

    limit = file["limits/peak"].attrs
    assert limit["exceeded"] == np.sum(peak > 12e3) and limit["low"] <= limit["probability"] <= limit["high"]
    assert sorted(file["series"]) == [f"run_{r:06d}" for r in (1, 4) if mass[r] > 0]
    for run in file["series"].values():
        assert run["time"].shape == run["rope.tension"].shape == (11,)
        assert np.allclose(run["time"][:], 0.1 * np.arange(11))
    events = file["events"]
    assert len(events["run"]) == len(events["time"]) == len(events["object"])
    assert np.all(np.diff(events["run"][:]) >= 0)

    # bit for bit the same, whoever did which run
    def compare(name, item):
        if isinstance(item, h5py.Dataset) and not name.startswith("timing/"):
            assert np.asarray(item[()]).tobytes() == np.asarray(other[name][()]).tobytes(), name

    file.visititems(compare)
    print(f"{RUNS} runs as they should be")


main()
