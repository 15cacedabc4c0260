// Fields that translate the words of a product's options and specifications.
import type { ScreenForm } from '#edge/pages/dashboard/page.ts';
import { textIn, withText } from '#edge/pages/dashboard/translation_draft.ts';
import { Sheet } from '#edge/pages/design/display.tsx';
import { TextField } from '#edge/pages/design/field.tsx';
import type { Product } from '#proto/client/dashboard.ts';
import type { ProductDraft } from './draft.ts';
import { termsIn } from './term.ts';

interface TermFieldsProps {
  readonly form: ScreenForm<ProductDraft>;
  readonly product: Product;
  /** Empty for the store's default language: nothing is shown then. */
  readonly language: string;
}

export const TermFields = ({ form, product, language }: TermFieldsProps) => {
  const { terms, specifications } = form.draft;
  const words = language === '' ? [] : termsIn(product, specifications);
  if (words.length === 0) return null;
  return (
    <Sheet title="Words of options and specifications">
      <div class="columns">
        {words.map((word) => (
          <TextField
            key={word}
            label={word}
            value={textIn({ translations: terms }, language, word)}
            change={(text) => form.set({ terms: withText(terms, language, word, text) })}
          />
        ))}
      </div>
    </Sheet>
  );
};
