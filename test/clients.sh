#!/usr/bin/env bash
# Replays recorded requests of existing clients against the service: npm run test:clients -- FILE
set -euo pipefail
CLIENT_REQUESTS=$(realpath "${1:?Give the file with the recorded requests, one JSON object a line.}")
export CLIENT_REQUESTS
cd "$(dirname "$0")/.."
exec npx jest --selectProjects e2e --testPathPatterns e2e/clients
