// Entry of the command line: runs the command that the arguments name.
import { runMain, showUsage } from 'citty';
import { stoa } from './command_tree.ts';

/** Wrong arguments print one sentence. The usage is printed only on request, or if a subcommand is missing. */
const asksForHelp = process.argv.some((text) => text === '--help' || text === '-h');
await runMain(stoa, {
  showUsage: async (chosen, parent) => {
    if (asksForHelp || chosen.subCommands) await showUsage(chosen, parent);
  },
});
