// Mounts a provider's card fields into the shop's page: Stripe's Payment Element by Stripe's own loader, or the sandbox's
// simulator of the same shape. The card's number stays in the provider's frame.
import type { PaymentElement } from '#proto/gen/client/message.ts';
import type { Text } from './wording.ts';

export interface MountedCard {
  /** Confirms the payment. Returns the error to show, or null once it is paid. Some banks lead the shopper to `returnUrl`. */
  pay(returnUrl: string): Promise<string | null>;
  unmount(): void;
}

interface Confirmation {
  readonly error?: { readonly message?: string | undefined };
}

/** The part of Stripe's interface that the simulator's script has, too. */
interface SimulatorElements {
  create(kind: 'payment'): { mount(place: HTMLElement): void; unmount(): void };
}

interface Simulator {
  elements(options: { readonly clientSecret: string }): SimulatorElements;
  confirmPayment(options: {
    readonly elements: SimulatorElements;
    readonly confirmParams: { readonly return_url: string };
    readonly redirect: 'if_required';
  }): Promise<Confirmation>;
}

const problemOf = ({ error }: Confirmation, text: Text): string | null =>
  error ? (error.message ?? text('card_unpaid')) : null;

const mountStripe = async ({ publishable_key, client_secret }: PaymentElement, place: HTMLElement, text: Text) => {
  const { loadStripe } = await import('@stripe/stripe-js/pure');
  const stripe = await loadStripe(publishable_key ?? '');
  if (stripe === null) throw new Error('the script has no card fields');
  const elements = stripe.elements({ clientSecret: client_secret });
  const fields = elements.create('payment');
  fields.mount(place);
  const pay: MountedCard['pay'] = async (return_url) =>
    problemOf(await stripe.confirmPayment({ elements, confirmParams: { return_url }, redirect: 'if_required' }), text);
  return { pay, unmount: () => fields.destroy() };
};

const loadScript = (url: string): Promise<void> =>
  new Promise((done, failed) => {
    const script = document.createElement('script');
    script.src = url;
    script.addEventListener('load', () => done());
    script.addEventListener('error', () => failed(new Error(`failed to load ${url}`)));
    document.head.append(script);
  });

const simulatorOf = async (url: string): Promise<Simulator> => {
  const page = window as unknown as { readonly StoaSimulator?: () => Simulator };
  if (!page.StoaSimulator) await loadScript(url);
  if (!page.StoaSimulator) throw new Error('the script has no card fields');
  return page.StoaSimulator();
};

const mountSimulator = async ({ script_url, client_secret }: PaymentElement, place: HTMLElement, text: Text) => {
  const simulator = await simulatorOf(script_url ?? '');
  const elements = simulator.elements({ clientSecret: client_secret });
  const fields = elements.create('payment');
  fields.mount(place);
  const pay: MountedCard['pay'] = async (return_url) =>
    problemOf(
      await simulator.confirmPayment({ elements, confirmParams: { return_url }, redirect: 'if_required' }),
      text,
    );
  return { pay, unmount: () => fields.unmount() };
};

export const mountCard = (element: PaymentElement, place: HTMLElement, text: Text): Promise<MountedCard> =>
  element.provider === 'stripe' ? mountStripe(element, place, text) : mountSimulator(element, place, text);
