# SPDX-License-Identifier: Apache-2.0
"""A family of simulators that disagree on purpose: some to tune the model on, the others only to report."""
