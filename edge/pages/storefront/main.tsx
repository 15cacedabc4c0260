// The shop in the browser: continues the page that the server has rendered.
import { hydrate } from 'preact';
import { configureAddress, readAddress } from './address.ts';
import { AnswerContext, Answers } from './answer.ts';
import { openShop, type PageState } from './client.ts';
import { pathOfHash } from './hash_address.ts';
import { languagePath } from './language_path.ts';
import { ShopPath } from './link.tsx';
import { Shop } from './shop.tsx';
import { ENGLISH, wordsOf } from './wording.ts';
import { WordsContext } from './wording_context.ts';

const start = (state: PageState): void => {
  const { base, path, language, texts, frame } = state;
  const home = base + languagePath(frame.store, language, '/');
  configureAddress(home);
  const shop = openShop(state);
  const contents = (
    <ShopPath.Provider value={home}>
      <WordsContext.Provider value={texts === null ? ENGLISH : wordsOf(texts.language, texts.texts)}>
        <AnswerContext.Provider value={{ answers: new Answers(state.answers), collects: false }}>
          <Shop shop={shop} first={readAddress(path)} />
        </AnswerContext.Provider>
      </WordsContext.Provider>
    </ShopPath.Provider>
  );
  hydrate(contents, document.querySelector('#shop')!);
};

const state = document.querySelector('#state');
if (state) {
  const read: PageState = JSON.parse(state.textContent);
  const path = pathOfHash(location.hash);
  if (path === null) start(read);
  else location.replace(read.base + languagePath(read.frame.store, read.language, path));
}
