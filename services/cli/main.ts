// The command line: runs the command that it is told.
import { runMain, showUsage } from 'citty';
import { stoa } from './command_tree.ts';

/** Of a wrong call one sentence tells what is wrong with it; its whole page comes when asked for, or at a fork. */
const asksForHelp = process.argv.some((text) => text === '--help' || text === '-h');
await runMain(stoa, {
  showUsage: async (chosen, parent) => {
    if (asksForHelp || chosen.subCommands) await showUsage(chosen, parent);
  },
});
