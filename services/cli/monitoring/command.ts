// `stoa monitoring DIR`: writes alert rules for Prometheus and a dashboard for Grafana.
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { define, say } from '#services/cli/command.ts';

export const MONITORING_FILES = ['alerts.yaml', 'dashboard.json'] as const;

export const monitoring = define({
  name: 'monitoring',
  description: 'Writes alert rules for Prometheus and a dashboard for Grafana into a folder',
  args: { dir: { type: 'positional', description: 'The folder, created if it is missing', required: true } },
  run: async ({ dir }) => {
    await mkdir(dir, { recursive: true });
    for (const name of MONITORING_FILES) {
      const to = join(dir, name);
      await copyFile(fileURLToPath(new URL(name, import.meta.url)), to);
      say(to);
    }
  },
});
