// The entry of the command line: runs the command that it is given.
import { runMain, showUsage } from 'citty';
import { stoa } from './command_tree.ts';

/** A wrong call prints one sentence; the usage page follows only on request, or where a subcommand is missing. */
const asksForHelp = process.argv.some((text) => text === '--help' || text === '-h');
await runMain(stoa, {
  showUsage: async (chosen, parent) => {
    if (asksForHelp || chosen.subCommands) await showUsage(chosen, parent);
  },
});
