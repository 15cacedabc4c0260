// Pays with the simulator's card fields on the shop's own page.
import { expect } from 'vitest';
import type { Page } from '#test/support/browser.ts';
import { eventually } from '#test/support/server.ts';

const ACCEPTED_CARD = '4242 4242 4242 4242';

/** Enters a card once its fields are there, and pays. */
export const payByCard = async (page: Pick<Page, 'read'>): Promise<void> => {
  await eventually(async () => {
    expect(await page.read("document.querySelector('.card-fields [type=submit]')?.ariaDisabled")).toBe('false');
    expect(await page.read("document.querySelector('iframe')?.contentDocument?.forms.length")).toBe(1);
  });
  await page.read(`document.querySelector('iframe').contentDocument.forms[0].number.value = '${ACCEPTED_CARD}'`);
  await page.read("document.querySelector('.card-fields .go').click()");
};
