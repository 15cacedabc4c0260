// The language of a form's texts: a switch at the top of the form, and fields that show and change the texts in it.
import { useState } from 'preact/hooks';
import { SelectField } from '#edge/pages/design/field.tsx';
import type { BoundField, ScreenForm } from './form.tsx';
import { languageName } from './language_name.ts';
import { useRecord } from './record.ts';
import { type TranslatedDraft, textIn, withText } from './translation_draft.ts';

interface LanguageFieldProps {
  /** Empty for the store's default language. */
  readonly value: string;
  readonly change: (language: string) => void;
}

/** Shows nothing for a store with one language. */
export const LanguageField = ({ value, change }: LanguageFieldProps) => {
  const { value: read } = useRecord((api) => api.store.get({ fields: ['language', 'languages'] }), []);
  if (!read || read.store.languages.length === 0) return null;
  const options = [
    { value: '', label: languageName(read.store.language) },
    ...read.store.languages.map((language) => ({ value: language, label: languageName(language) })),
  ];
  return <SelectField label="Language" value={value} change={change} options={options} />;
};

/** Properties of a text's field. A translation may be empty: the default text is then read, which `advice` shows. */
interface TextBinding extends BoundField<string> {
  readonly required?: false;
  readonly advice?: string;
}

/** Names of the draft's fields that are texts. */
type TextName<Draft> = { [K in keyof Draft & string]: Draft[K] extends string ? K : never }[keyof Draft & string];

const ADVICE_LENGTH_MAX = 200;

const pathOf = (language: string, name: string): string =>
  /^[A-Za-z]+$/.test(language) ? `translations.${language}.${name}` : `translations["${language}"].${name}`;

interface TextPlace<R extends TranslatedDraft> {
  readonly record: R;
  /** Empty for the store's default language. */
  readonly language: string;
  readonly name: TextName<R>;
  readonly change: (part: Partial<R>) => void;
  /** The refusal of a field by its path below the record. */
  readonly problemAt: (path: string) => string | undefined;
}

/** Binds a field to a text of a record, or to its translation into the language. */
export const textBinding = <R extends TranslatedDraft>(place: TextPlace<R>): TextBinding => {
  const { record, language, name, problemAt } = place;
  const own = String(record[name]);
  const change = (part: object): void => place.change(part as Partial<R>);
  if (language === '') return { value: own, change: (value) => change({ [name]: value }), problem: problemAt(name) };
  return {
    value: textIn(record, language, name),
    change: (value) => change({ translations: withText(record.translations, language, name, value) }),
    problem: problemAt(pathOf(language, name)),
    required: false,
    ...(own.length > 0 && own.length <= ADVICE_LENGTH_MAX && { advice: own }),
  };
};

/** `text` binds a field to a text of the draft; `prefix` is the draft's path in the request, with a dot at its end. */
export const useTranslation = <Draft extends TranslatedDraft>(form: ScreenForm<Draft>, prefix = '') => {
  const [language, choose] = useState('');
  const { draft: record, set: change } = form;
  const problemAt = (path: string) => form.field('translations', `${prefix}${path}`).problem;
  return {
    language,
    text: (name: TextName<Draft>): TextBinding => textBinding({ record, language, name, change, problemAt }),
    languageField: <LanguageField value={language} change={choose} />,
  };
};
