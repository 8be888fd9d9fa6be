"""How graphs are run: for a server that idles most of the time and shares its machine."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false
# The runtime is not typed.

import onnxruntime


def session_options(cores: int) -> onnxruntime.SessionOptions:
    """Options of a session on so many threads."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = cores
    options.inter_op_num_threads = 1
    # Its threads would otherwise spin for work and keep an idle server busy.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # The arena never gives back what the largest batch once took.
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    return options
