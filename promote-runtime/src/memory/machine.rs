//! What the processor says of itself.

#[cfg(target_arch = "x86_64")]
use core::sync::atomic::{AtomicUsize, Ordering};

/// The properties of the machine that decide how calls are computed.
#[derive(Clone, Copy)]
pub(crate) struct Machine {
    /// The number of bytes in the largest cache that one program can expect to have.
    pub(crate) last_cache: usize,
    /// True if the processor splits vectors of 64 bytes in two.
    pub(crate) takes_halves: bool,
    /// True on Intel, where Newton steps are faster than the instruction for a vector of square roots.
    pub(crate) slow_roots: bool,
}

#[cfg(target_arch = "x86_64")]
impl Machine {
    /// Returns what the processor reports. The answer is stored, since the query takes longer than a call.
    #[inline]
    pub(crate) fn found() -> Machine {
        /// The size of the cache with the other two properties in its low bits.
        static FOUND: AtomicUsize = AtomicUsize::new(0);
        let mut found = FOUND.load(Ordering::Relaxed);
        if found == 0 {
            let Machine { last_cache, takes_halves, slow_roots } = Machine::ask();
            found = (last_cache & !3) | usize::from(slow_roots) << 1 | usize::from(takes_halves);
            FOUND.store(found, Ordering::Relaxed);
        }
        Machine { last_cache: found & !3, takes_halves: found & 1 != 0, slow_roots: found & 2 != 0 }
    }

    #[cold]
    fn ask() -> Machine {
        /// The size for machines that report none, or report only the caches of one core.
        const DEFAULT: usize = 32 * 1024 * 1024;
        const MIN_CACHE: usize = 1024 * 1024;
        /// The size for machines that report more, since many programs share such a cache.
        const MAX_CACHE: usize = 64 * 1024 * 1024;
        /// Zen 4, and Zen 3, which has no AVX-512.
        const ZEN4: u8 = 0x19;
        if cfg!(fuzzing) {
            return Machine { last_cache: 4096, takes_halves: true, slow_roots: true };
        }
        let machine = raw_cpuid::CpuId::new();
        let caches = machine.get_cache_parameters();
        let bytes = caches.into_iter().flatten().map(|cache| {
            let line = cache.associativity() * cache.physical_line_partitions() * cache.coherency_line_size();
            line.saturating_mul(cache.sets())
        });
        let made_by = |maker: &str| machine.get_vendor_info().is_some_and(|vendor| vendor.as_str() == maker);
        let family = machine.get_feature_info().map(|features| features.family_id());
        Machine {
            last_cache: bytes.max().filter(|bytes| *bytes >= MIN_CACHE).unwrap_or(DEFAULT).min(MAX_CACHE),
            takes_halves: made_by("AuthenticAMD") && family == Some(ZEN4),
            slow_roots: made_by("GenuineIntel"),
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Machine {
    pub(crate) fn found() -> Machine {
        Machine { last_cache: usize::MAX, takes_halves: false, slow_roots: false }
    }
}
