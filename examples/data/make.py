#!/usr/bin/env python3
"""Make the arrays of this folder from one public-domain photograph.

    pip install numpy==2.4.6 pillow==13.0.0 safetensors==0.8.0 ml_dtypes==0.6.0 scikit-image==0.26.0
    python make.py [--preview FOLDER]

The photograph is `retina.jpg` of the scikit-image wheel; nothing else is read. The same versions give the same bytes.
`--preview` also writes PNG pictures of what went in and of what `image * gain + offset` gives.
"""
import hashlib, importlib.util, pathlib, sys
import ml_dtypes, numpy as np
from PIL import Image
from safetensors.numpy import save

HERE = pathlib.Path(__file__).resolve().parent
SHA256 = "38a07f36f27f095e818aea7b96d34202c05176d30253c66733f2e00379e9e0e6"
BLOCK = 7       # this many pixels of the original, squared, are averaged into one
SIGMA = 10.0    # the neighbourhood of the local mean and deviation, in pixels of the small picture
MEAN, SPREAD, MOST = 128.0, 32.0, 8.0  # what the local mean and deviation shall become; the greatest gain

def photograph():
    path = pathlib.Path(importlib.util.find_spec("skimage").origin).parent / "data" / "retina.jpg"
    raw = path.read_bytes()
    if hashlib.sha256(raw).hexdigest() != SHA256:
        sys.exit("make.py: retina.jpg of this scikit-image is not the one this script was written for")
    green = np.asarray(Image.open(path).convert("RGB"))[..., 1].astype(np.float64)
    n = min(green.shape) // BLOCK
    green = green[: n * BLOCK, : n * BLOCK].reshape(n, BLOCK, n, BLOCK).mean(axis=(1, 3))
    return np.rint(green).astype(np.uint8)

def blur(a):
    """A Gaussian of SIGMA, in both directions, zero beyond the border."""
    r = int(4 * SIGMA)
    k = np.exp(-0.5 * (np.arange(-r, r + 1) / SIGMA) ** 2)
    for axis in (0, 1):
        a = np.apply_along_axis(lambda v: np.convolve(v, k, "full")[r : r + v.size], axis, a)
    return a

def fields(image):
    """The gain and the offset that even out the light of the photograph, from the photograph itself."""
    x = image.astype(np.float64)
    n = x.shape[0]
    y, z = np.mgrid[:n, :n] - (n - 1) / 2
    seen = ((x > 20) & (np.hypot(y, z) < 0.49 * n)).astype(np.float64)  # inside the round field of view
    w = np.maximum(blur(seen), 1e-9)
    mean = blur(x * seen) / w                                           # L: how bright it is around here
    spread = np.sqrt(blur((x - mean) ** 2 * seen) / w)                  # C: how strong the contrast is around here
    gain = (seen * np.minimum(SPREAD / np.maximum(spread, 1e-9), MOST)).astype(np.float16)
    offset = np.rint(seen * (MEAN - mean * gain.astype(np.float64))).astype(np.int16)
    return gain, offset

def main():
    image = photograph()
    gain, offset = fields(image)
    np.save(HERE / "image.npy", image)
    np.save(HERE / "gain.npy", gain)
    np.save(HERE / "offset.npy", offset)
    np.save(HERE / "offset_be_fortran.npy", np.asfortranarray(offset.astype(">i2")))
    (HERE / "gain.safetensors").write_bytes(
        save({"gain_f16": gain, "gain_bf16": gain.astype(ml_dtypes.bfloat16)}))
    for name, a in (("image", image), ("gain", gain), ("offset", offset)):
        print(f"{name}: {a.dtype} {a.shape} min {a.min()} max {a.max()} mean {a.astype(np.float64).mean():.3f}")
    if len(sys.argv) == 3 and sys.argv[1] == "--preview":
        out = image.astype(np.float32) * gain.astype(np.float32) + offset.astype(np.float32)
        print(f"image * gain + offset: min {out.min()} max {out.max()} mean {out.mean():.3f}")
        for name, a in (("image", image), ("gain", gain / gain.max() * 255.0), ("offset", (offset + 400.0) / 2), ("out", out)):
            Image.fromarray(np.clip(a, 0, 255).astype(np.uint8)).save(pathlib.Path(sys.argv[2]) / f"{name}.png")

if __name__ == "__main__":
    main()
