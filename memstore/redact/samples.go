package redact

// samples are the sums (FNV-1a, 32 bits) of the secrets in vendors' public samples
// (Google's API keys, passwords of NuGet's handbook): copied into every other
// project, and open to everyone.
var samples = []uint32{
	0x739ddd87, 0xf0951274, 0x0af7ca9d, 0x4e1351cb, 0xb8782c2e, 0x965bd60a,
	0x1845a427, 0x00d9b068, 0xaf8fab00, 0x722ef8d0, 0xc8a510e9, 0x1751c16c,
	0xf50c0e72, 0x6a41f911, 0x8ee1d847, 0xb1887211,
	0x6af56d80, 0xd518b041,
}
