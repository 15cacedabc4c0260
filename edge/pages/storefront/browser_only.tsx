// A screen that only the browser can show, because it depends on what the browser stores: the server renders a note.
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { AnswerContext } from './answer.ts';
import { Loading } from './component.tsx';
import { useWords } from './wording_context.ts';

/** Returns false on the server and in the first render of the browser, which must be the same. */
export const useBrowser = (): boolean => {
  const [shown, setShown] = useState(false);
  useEffect(() => setShown(true), []);
  return shown;
};

/** Shows its children in browsers without script. The server alone renders them. */
export const WithoutScript = ({ children }: { readonly children: ComponentChildren }) =>
  useContext(AnswerContext).collects ? <noscript>{children}</noscript> : null;

interface BrowserOnlyProps {
  readonly title: string;
  readonly children: () => ComponentChildren;
}

export const BrowserOnly = ({ title, children }: BrowserOnlyProps) => {
  const { text } = useWords();
  return useBrowser() ? (
    children()
  ) : (
    <>
      <h1>{title}</h1>
      <Loading />
      <WithoutScript>
        <p class="note">{text('needs_script')}</p>
      </WithoutScript>
    </>
  );
};
