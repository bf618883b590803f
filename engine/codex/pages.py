"""The pages of the codex: what each says, and what it is called in vLLM and TensorRT-LLM.

Names of the two are those of their documentation: vLLM 0.20 and newer (docs.vllm.ai), TensorRT-LLM 1.x
(nvidia.github.io/TensorRT-LLM). Where a system has no such thing, nothing is listed.
"""

from __future__ import annotations

from attrs import field, frozen

from engine.physics.roofline import KV_BANDWIDTH_SHARE

CONCEPT, MACHINE = "concept", "machine"


@frozen
class Page:
    """A page. Texts are `codex.ID` (its title), `codex.ID.what`, `codex.ID.rule`, and `codex.ID.legend` for the letters
    of its equation.
    """

    id: str
    figures: list[str]
    """Figures of this factory (`engine.codex.figures`)."""
    equation: str = ""
    vllm: list[str] = field(factory=list)
    tensorrt_llm: list[str] = field(factory=list)
    distances: list[str] = field(factory=list)
    """Rows of `engine.codex.distances`."""
    see: list[str] = field(factory=list)
    """Other pages."""
    group: str = CONCEPT
    needs: str = ""
    """The machine kind without which a level has nothing of this."""


_CONCEPTS = [
    Page(
        "prefill",
        ["prompt_tokens", "prefill_s", "prefill_tps", "flops"],
        "step ≈ (2 P n + 2 h d L n²) / (F ec)",
        ["max_num_batched_tokens", "enable_chunked_prefill"],
        ["context phase", "max_num_tokens", "enable_chunked_prefill"],
        ["prefill"],
        ["prefill_core", "roofline", "ttft"],
    ),
    Page(
        "decode",
        ["weights_gb", "step_ms", "tps_alone", "bandwidth"],
        f"step ≈ W / (B eb) + KV / ({KV_BANDWIDTH_SHARE:g} B eb) + layers + host",
        ["Scheduler", "max_num_seqs"],
        ["generation phase", "max_batch_size"],
        ["decode"],
        ["decode_core", "batching", "tpot"],
    ),
    Page(
        "kv_cache",
        ["kv_token_kib", "kv_prompt_mib", "kv_memory_mib", "kv_memory_tokens", "kv_used"],
        "bytes per token = 2 · layers · kv_heads · head_dim · 2",
        ["KVCacheManager", "gpu_memory_utilization", "vllm:kv_cache_usage_perc"],
        ["KVCacheManager", "KvCacheConfig.free_gpu_memory_fraction"],
        ["kv_bytes", "blocks"],
        ["paging", "fragmentation", "link"],
    ),
    Page(
        "paging",
        ["block_tokens", "block_kib", "block_waste", "paged_fit", "preemptions"],
        "blocks = ⌈tokens / block size⌉",
        ["PagedAttention", "BlockPool", "block_size", "vllm:num_preemptions"],
        ["paged KV cache", "KvCacheConfig.tokens_per_block"],
        ["pages", "saving", "kernel", "admission", "preemption"],
        ["page_allocator", "fragmentation"],
        needs="page_allocator",
    ),
    Page(
        "fragmentation",
        ["reserved_mib", "reserved_fit", "paged_fit", "kv_memory_mib"],
        "unused = 1 − tokens / max_model_len",
        ["max_model_len"],
        ["max_seq_len", "CapacitySchedulerPolicy.GUARANTEED_NO_EVICT"],
        ["reservations", "saving"],
        ["paging", "kv_cache"],
        needs="page_allocator",
    ),
    Page(
        "speculation",
        ["guesses", "tokens_per_step", "draft_cost", "speed_up", "best_guesses", "measured_per_step"],
        "E = (1 − a^(g+1)) / (1 − a),  speed-up = E / (g c + 1)",
        ["speculative_config", '"method": "draft_model"', "num_speculative_tokens"],
        ["DraftTargetDecodingConfig", "max_draft_len"],
        ["tokens_per_step", "best_guesses", "acceptance"],
        ["draft_model", "validation_gate", "acceptance"],
        needs="draft_model",
    ),
    Page(
        "acceptance",
        ["acceptance", "reported_acceptance", "measured_acceptance", "tokens_per_step"],
        "reported = (E − 1) / g",
        ["vllm:spec_decode_num_accepted_tokens", "vllm:spec_decode_num_draft_tokens"],
        ["acceptance_rate_threshold"],
        ["reported", "acceptance"],
        ["speculation"],
        needs="draft_model",
    ),
    Page(
        "batching",
        ["slots", "batch", "step_ms", "step_full_ms", "tps_alone", "tps_full"],
        "tokens/s = batch / step(batch)",
        ["Scheduler", "max_num_seqs", "vllm:num_requests_running"],
        ["in-flight batching", "max_batch_size"],
        ["decode", "throughput"],
        ["decode", "roofline", "throughput"],
    ),
    Page(
        "chunked_prefill",
        ["chunk_tokens", "chunks", "chunk_ms", "prefill_s", "pause_p95_s"],
        "steps = ⌈n / (c − batch)⌉,  pause ≈ step(c)",
        ["enable_chunked_prefill", "max_num_batched_tokens"],
        ["enable_chunked_prefill", "max_num_tokens"],
        ["chunks", "prefill"],
        ["chunker", "prefill", "tpot", "ttft"],
        needs="chunker",
    ),
    Page(
        "ttft",
        ["ttft_p50_s", "ttft_p95_s", "prefill_s", "handoff_s", "queue"],
        "TTFT = queue + prefill + hand-off + first step",
        ["vllm:time_to_first_token_seconds"],
        ["trtllm-bench"],
        ["ttft", "clock"],
        ["prefill", "link"],
    ),
    Page(
        "tpot",
        ["tpot_ms", "user_tps", "pause_p95_s", "step_full_ms"],
        "TPOT = (t_last − t_first) / (n − 1)",
        ["vllm:request_time_per_output_token_seconds", "vllm:inter_token_latency_seconds"],
        ["trtllm-bench"],
        ["tpot"],
        ["decode", "batching"],
    ),
    Page(
        "throughput",
        ["tps", "tps_recent", "tps_full", "batch"],
        "tokens/s = tokens delivered / time",
        ["vllm:generation_tokens", "vllm bench serve"],
        ["trtllm-bench"],
        ["throughput", "arrivals"],
        ["batching", "goodput"],
    ),
    Page(
        "roofline",
        ["bandwidth", "flops", "weights_gb", "ridge_tokens", "batch"],
        "step ≈ √((W / B eb)² + (2 P n / F ec)²) + attention + KV + layers + host,  ridge n* = W F ec / (2 P B eb)",
        distances=["prefill", "decode", "datasheet"],
        see=["prefill", "decode", "batching"],
    ),
    Page(
        "link",
        ["link_gb_per_s", "kv_prompt_mib", "handoff_tiles", "handoff_s", "tile_ms"],
        "hand-off = KV / link + tiles · (hop + layer’s KV / link)",
        ["kv_transfer_config", "NixlConnector"],
        ["cache_transceiver_config", "trtllm-serve disaggregated"],
        ["tile", "handoff"],
        ["kv_cache", "ttft"],
    ),
    Page(
        "goodput",
        ["goodput", "ttft_p95_s", "pause_p95_s", "tpot_ms"],
        "goodput = requests that kept every deadline / time",
        ["vllm bench serve --goodput"],
        [],
        ["arrivals"],
        ["ttft", "tpot", "throughput"],
    ),
    Page(
        "cost",
        ["rent", "usd_per_mtok", "tps", "cards"],
        "$ per M tokens = $ per hour · hours / M tokens",
        distances=["owned"],
        see=["energy", "throughput"],
    ),
    Page(
        "energy",
        ["watts", "j_per_token", "prefill_busy", "decode_busy"],
        "J per token = (busy W · busy s + idle W · idle s) / tokens",
        distances=["power"],
        see=["cost", "batching"],
    ),
    Page(
        "prefix_sharing",
        ["prefix_hits", "prefix_blocks"],
        "n = prompt − b ⌊p / b⌋",
        ["enable_prefix_caching", "BlockPool", "vllm:prefix_cache_hits"],
        ["KvCacheConfig.enable_block_reuse"],
        ["sharing", "sharing_long"],
        ["prefix_cache", "paging", "router"],
        needs="prefix_cache",
    ),
    Page(
        "admission",
        ["let_in", "refused", "queue"],
        "t ← min(t + q s, 10 q)",
        ['"scheduling_policy": "priority"', "vllm:num_requests_waiting"],
        ["executor::Request.priority"],
        ["quota", "ageing"],
        ["gateway", "fairness", "goodput"],
        needs="gateway",
    ),
    Page(
        "fairness",
        ["fairness", "least_on_time", "tenants", "idle_share"],
        "fairness = (Σ x)² / (n Σ x²)",
        distances=["accounts"],
        see=["admission", "goodput", "cost"],
        needs="gateway",
    ),
    Page(
        "quality",
        ["summaries_3b", "summaries_8b", "code_8b", "code_8b_4_bit"],
        "cost per task that counts = all cost / tasks that are good enough and on time",
        ["--served-model-name", "lm_eval --model vllm"],
        ["trtllm-eval"],
        ["quality"],
        ["quantization", "cost"],
        needs="router",
    ),
    Page(
        "quantization",
        ["weights_gb", "weights_4_bit_gb", "step_ms", "step_4_bit_ms", "prefill_s", "prefill_4_bit_s"],
        "step ≈ √((W / B eb)² + (2 P tok / F ec)²)",
        ["quantization", "compressed-tensors", "MarlinLinearKernel"],
        ["QuantConfig", "QuantAlgo.W4A16_GPTQ", "QuantAlgo.FP8"],
        ["four_bits"],
        ["quality", "roofline", "decode"],
        needs="model_server",
    ),
    Page(
        "break_even",
        ["own_idle_usd", "own_busy_usd", "rent", "api_usd_in", "api_usd_out"],
        "share · tokens per hour · API $ per token = card $ per hour",
        distances=["worth", "owned"],
        see=["api_port", "cost", "energy"],
        needs="api_port",
    ),
]
_MACHINES = [
    Page(
        "prompt_dock",
        ["arrival_s", "prompt_tokens", "output_tokens", "queue"],
        "",
        ["vllm serve", "vllm:num_requests_waiting"],
        ["trtllm-serve"],
        ["arrivals", "clock"],
        ["ttft"],
        MACHINE,
    ),
    Page(
        "prefill_core",
        ["prefill_s", "prefill_tps", "prefill_busy", "queue"],
        "",
        ['"kv_role": "kv_producer"', "max_num_batched_tokens"],
        ["context_servers", "max_num_tokens"],
        ["prefill", "turns"],
        ["prefill", "link"],
        MACHINE,
    ),
    Page(
        "decode_core",
        ["slots", "batch", "step_ms", "step_full_ms", "decode_busy"],
        "",
        ['"kv_role": "kv_consumer"', "max_num_seqs"],
        ["generation_servers", "max_batch_size"],
        ["decode", "turns"],
        ["decode", "batching", "roofline"],
        MACHINE,
    ),
    Page(
        "page_allocator",
        ["block_tokens", "block_kib", "kv_memory_tokens", "kv_used", "preemptions"],
        "",
        ["KVCacheManager", "BlockPool", "block_size"],
        ["KVCacheManager", "KvCacheConfig.tokens_per_block"],
        ["pages", "blocks", "admission"],
        ["paging", "fragmentation"],
        MACHINE,
        "page_allocator",
    ),
    Page(
        "draft_model",
        ["guesses", "draft_pass_ms", "draft_cost", "best_guesses"],
        "",
        ["speculative_config", '"method": "draft_model"'],
        ["DraftTargetDecodingConfig", "speculative_model"],
        ["best_guesses", "draft_card"],
        ["speculation", "acceptance"],
        MACHINE,
        "draft_model",
    ),
    Page(
        "validation_gate",
        ["reported_acceptance", "measured_acceptance", "tokens_per_step", "measured_per_step"],
        "",
        ["RejectionSampler"],
        ["use_rejection_sampling"],
        ["tokens_per_step", "reported"],
        ["speculation", "acceptance"],
        MACHINE,
        "validation_gate",
    ),
    Page(
        "model_server",
        ["slots", "batch", "step_full_ms", "prefill_s", "queue"],
        "",
        ["vllm serve", "EngineCore", "max_num_seqs"],
        ["trtllm-serve", "max_batch_size"],
        ["decode", "prefill", "loading"],
        ["batcher", "chunker", "decode", "prefill"],
        MACHINE,
        "model_server",
    ),
    Page(
        "batcher",
        ["batch", "slots", "tps_recent", "tps_full", "kv_used"],
        "",
        ["Scheduler", "vllm:num_requests_running"],
        ["in-flight batching", "CapacitySchedulerPolicy.STATIC_BATCH"],
        ["static"],
        ["batching", "model_server", "throughput"],
        MACHINE,
        "batcher",
    ),
    Page(
        "chunker",
        ["chunk_tokens", "chunks", "chunk_ms", "pause_p95_s"],
        "",
        ["enable_chunked_prefill", "max_num_batched_tokens"],
        ["enable_chunked_prefill", "max_num_tokens"],
        ["chunks"],
        ["chunked_prefill", "model_server", "tpot"],
        MACHINE,
        "chunker",
    ),
    Page(
        "prefix_cache",
        ["prefix_hits", "prefix_blocks"],
        "",
        ["enable_prefix_caching", "BlockPool"],
        ["KvCacheConfig.enable_block_reuse"],
        ["sharing", "sharing_long"],
        ["prefix_sharing", "page_allocator"],
        MACHINE,
        "prefix_cache",
    ),
    Page(
        "gateway",
        ["let_in", "refused", "tenants"],
        "",
        distances=["quota", "ageing"],
        see=["admission", "fairness", "router"],
        group=MACHINE,
        needs="gateway",
    ),
    Page(
        "router",
        ["ways", "tenants", "queue"],
        "",
        ["vllm-router"],
        distances=["knows"],
        see=["gateway", "prefix_sharing", "quality"],
        group=MACHINE,
        needs="router",
    ),
    Page(
        "api_port",
        ["api_usd_in", "api_usd_out", "api_ttft_s", "api_tps", "api_calls"],
        "",
        distances=["api"],
        see=["break_even", "cost", "ttft"],
        group=MACHINE,
        needs="api_port",
    ),
    Page(
        "token_dock",
        ["tps_recent", "tps", "user_tps", "usd_per_mtok"],
        "",
        ["OutputProcessor", "vllm:generation_tokens"],
        ["trtllm-serve"],
        ["throughput"],
        ["throughput", "goodput", "cost"],
        MACHINE,
    ),
]
PAGES: dict[str, Page] = {page.id: page for page in (*_CONCEPTS, *_MACHINES)}
