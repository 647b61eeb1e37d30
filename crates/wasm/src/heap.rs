//! The allocator of the wasm files that allocate little: those of the client and the gateway. Must not live here: anything else.

use rlsf::{GlobalTlsf, GlobalTlsfOptions};

#[global_allocator]
static HEAP: GlobalTlsf<Small> = GlobalTlsf::new();

/// Small code, but for one thing: memory that is taken bit by bit becomes one piece, or a long text that grows would leave behind all
/// that it ever was.
struct Small;

impl GlobalTlsfOptions for Small {
    const ENABLE_REALLOCATION: bool = false;
    const COALESCE_POOLS: bool = true;
}
