// The footer of every screen: categories, policies, and how to reach the store.
import type { ScreenAddress } from './address.ts';
import type { OpenShop } from './client.ts';
import { CurrencyChoice } from './currency_choice.tsx';
import { LanguageChoice } from './language_choice.tsx';
import { Link } from './link.tsx';
import { useWords } from './wording_context.ts';

interface FooterProps {
  readonly shop: OpenShop;
  readonly address: ScreenAddress;
}

export const Footer = ({ shop, address }: FooterProps) => {
  const { store, categories, policies } = shop;
  const { text } = useWords();
  return (
    <footer>
      <div>
        <section aria-label={text('the_store')}>
          <b>{store.name}</b>
          {store.branding?.tagline && <p>{String(store.branding.tagline)}</p>}
          {store.contact_email && <a href={`mailto:${store.contact_email}`}>{store.contact_email}</a>}
          {store.contact_phone && (
            <a href={`tel:${store.contact_phone.replace(/[^\d+]/g, '')}`}>{store.contact_phone}</a>
          )}
        </section>
        {categories.length > 0 && (
          <nav aria-label={text('footer_categories')}>
            <b>{text('shop')}</b>
            {categories.map(({ slug, name }) => (
              <Link key={slug} to={`/categories/${slug}`}>
                {name}
              </Link>
            ))}
          </nav>
        )}
        {policies.length > 0 && (
          <nav aria-label={text('policies')}>
            <b>{text('help')}</b>
            {policies.map(({ type, title }) => (
              <Link key={type} to={`/policies/${type}`}>
                {title}
              </Link>
            ))}
          </nav>
        )}
        <LanguageChoice shop={shop} address={address} />
        <CurrencyChoice shop={shop} address={address} />
      </div>
    </footer>
  );
};
