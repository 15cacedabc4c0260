// Lists words that must not occur in code, tests and guides.

/** People who are not named, and a person's pronoun for code: the subject is the caller, a customer ("they"), a process. */
const PEOPLE = /\b(nobody|whoever|somebody|anybody|whomever|he|him|his|himself)\b/i;

/** Words of ours where computing has one: semaphore, batch loader, partition owner, log writer, request context, maintenance lock. */
const OURS = /\b(gathered\(|Reign|Stillness|Visit)\b/;

/** An intent's requirement that no one can mend says so in this word; a system account of Debian's has it as its name. */
const DATA = /(['"])nobody\1|nobody@|nobody\$|session\/nobody/g;

/** Whether a line of code or text has one of them. */
export const hasAvoidedWord = (line: string): boolean => PEOPLE.test(line.replace(DATA, '')) || OURS.test(line);
