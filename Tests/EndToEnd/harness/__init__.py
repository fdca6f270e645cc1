# SPDX-License-Identifier: Apache-2.0
"""Drives the built `regimen` from outside: processes, HTTP, raw sockets and Chromium."""
