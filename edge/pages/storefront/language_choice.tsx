// Links to the same page in the store's other languages. Each loads a new page, which brings its language's texts.
import { pathOf, type ScreenAddress } from './address.ts';
import type { OpenShop } from './client.ts';
import { languagePath } from './language_path.ts';
import { useWords } from './wording_context.ts';

const nameOf = (language: string): string => {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
};

interface ChoiceProps {
  readonly shop: OpenShop;
  readonly address: ScreenAddress;
}

export const LanguageChoice = ({ shop, address: { screen, name, choice } }: ChoiceProps) => {
  const { text } = useWords();
  const { store, base, language } = shop;
  if (store.languages.length === 0) return null;
  const path = pathOf(name === '' ? screen : `${screen}/${encodeURIComponent(name)}`, choice);
  return (
    <nav aria-label={text('language')}>
      <b>{text('language')}</b>
      {[store.language, ...store.languages].map((each) => (
        <a
          key={each}
          href={base + languagePath(store, each, path) || '/'}
          hreflang={each}
          lang={each}
          aria-current={each === language ? 'true' : undefined}
        >
          {nameOf(each)}
        </a>
      ))}
    </nav>
  );
};
