// Gives components the words of the page's language.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { ENGLISH, type Words } from './wording.ts';

export const WordsContext = createContext<Words>(ENGLISH);

export const useWords = (): Words => useContext(WordsContext);
