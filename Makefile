# SPDX-License-Identifier: Apache-2.0
# The single front door. `make help` lists what it does.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run demo test lint format audit bench soak package image release verify-release build-libraries test-tools

DATA ?= ./var
# Swift needs these to build here: SQLite for GRDB, libpq for PostgreSQL, expat for FHIR in XML, mosquitto for MQTT, zlib for compression, libjpeg and libpng for photos, pango for PDF files with its fonts, the zone files for dose times.
BUILD_PACKAGES := git ca-certificates libsqlite3-dev zlib1g-dev libqrencode-dev libjpeg-dev libpng-dev libpango1.0-dev libpq-dev libexpat1-dev libmosquitto-dev tzdata fonts-liberation fonts-thai-tlwg

help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

run: build-libraries ## Build in release mode and start on http://127.0.0.1:8080, data in ./var
	swift build -c release --static-swift-stdlib --product regimen
	"$$(swift build -c release --show-bin-path)/regimen" serve --data $(DATA)

demo: build-libraries ## The same with invented people and months of history, data in ./var-demo
	swift build -c release --static-swift-stdlib --product regimen
	"$$(swift build -c release --show-bin-path)/regimen" demo --data ./var-demo
	"$$(swift build -c release --show-bin-path)/regimen" serve --data ./var-demo

test: test-tools ## Lint, unit tests, then the end-to-end tests on the same debug binary
	Scripts/test

lint: ## Format, import table, modules, edges, texts, file length, scripts
	Scripts/lint

format: ## Format every tracked Swift file in place
	git ls-files -z '*.swift' | xargs -0 -r swift format format --in-place --parallel

audit: ## Check the program's components against known vulnerabilities
	python3 Scripts/audit.py

bench: build-libraries ## Measure a release build beside its yardsticks (about twenty minutes after the build)
	Scripts/install-packages wrk gcc libc6-dev libssl-dev libical-dev libexpat1-dev libmosquitto-dev mosquitto python3 python3-cryptography python3-dateutil python3-numpy python3-requests
	swift build -c release --static-swift-stdlib --product regimen
	REGIMEN_BINARY="$$(swift build -c release --show-bin-path)/regimen" Benchmarks/run

package: build-libraries ## Build the Debian package and its debug symbols in dist/
	Scripts/package

image: ## Write a container image of that package in dist/, without an engine
	Scripts/image

release: build-libraries ## Package, image, checksums and signature of the version in VERSION, built twice
	Scripts/release --verify

verify-release: ## Check the files of a release, in dist/ or RELEASE=FOLDER: checksums, signature, contents
	Scripts/verify-release $(or $(RELEASE),dist)

soak: test-tools ## Run the long tests: kills, power cuts, two nodes, hostile HTTP, a trial, alerts, Home Assistant, the package in a bare Debian
	Scripts/swift build --product regimen
	REGIMEN_KILL_ROUNDS=500 .venv/bin/python -m pytest \
	  Tests/EndToEnd/test_kill.py Tests/EndToEnd/test_reminder_kill.py
	REGIMEN_NODE_KILLS=100 REGIMEN_DATABASE_RESTARTS=20 .venv/bin/python -m pytest \
	  Tests/EndToEnd/test_two_nodes.py
	REGIMEN_ROLLING_PEOPLE=60 .venv/bin/python -m pytest Tests/EndToEnd/test_rolling_upgrade.py
	REGIMEN_POWER_CUTS=100 .venv/bin/python -m pytest Tests/EndToEnd/test_power_cut.py
	REGIMEN_EXPORT_SEEDS=8 .venv/bin/python -m pytest Tests/EndToEnd/test_export_expat.py
	REGIMEN_OUTAGE_HOURS="24 52" .venv/bin/python -m pytest Tests/EndToEnd/test_outage.py
	REGIMEN_HOSTILE_ROUNDS=50 .venv/bin/python -m pytest Tests/EndToEnd/test_abuse_mixed.py
	Scripts/install-packages prometheus prometheus-node-exporter
	REGIMEN_PROMTOOL=yes REGIMEN_LONG_ALERTS=yes .venv/bin/python -m pytest \
	  Tests/EndToEnd/test_metrics.py Tests/EndToEnd/test_alerts.py
	REGIMEN_TRIAL_PEOPLE=400 REGIMEN_TRIAL_DAYS=84 .venv/bin/python -m pytest -s Tests/EndToEnd/test_trial.py
	python3 -m venv .home-assistant
	.home-assistant/bin/python -m pip install --quiet --disable-pip-version-check -r Tests/EndToEnd/home-assistant.txt
	REGIMEN_HOME_ASSISTANT=$(CURDIR)/.home-assistant/bin/python .venv/bin/python -m pytest Tests/EndToEnd/test_home_assistant.py
	Scripts/install-packages mmdebstrap lintian systemd-container
	Scripts/package
	REGIMEN_PACKAGE_LIFE=dist .venv/bin/python -m pytest \
	  Tests/EndToEnd/test_package_life.py Tests/EndToEnd/test_package_systemd.py

build-libraries:
	@Scripts/install-packages $(BUILD_PACKAGES)

test-tools: build-libraries
	@Scripts/install-packages binutils dpkg-dev chromium chromium-headless-shell libnss3-tools mosquitto openssl postgresql fonts-liberation fonts-thai-tlwg python3
	@Scripts/python-environment
