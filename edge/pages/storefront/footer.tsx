// The footer of every screen: categories, policies, and how to reach the store.
import type { OpenShop } from './client.ts';
import { Link } from './link.tsx';

export const Footer = ({ shop: { store, categories, policies } }: { readonly shop: OpenShop }) => (
  <footer>
    <div>
      <section aria-label="The store">
        <b>{store.name}</b>
        {store.branding?.tagline && <p>{String(store.branding.tagline)}</p>}
        {store.contact_email && <a href={`mailto:${store.contact_email}`}>{store.contact_email}</a>}
        {store.contact_phone && <a href={`tel:${store.contact_phone.replace(/[^\d+]/g, '')}`}>{store.contact_phone}</a>}
      </section>
      {categories.length > 0 && (
        <nav aria-label="Categories in the footer">
          <b>Shop</b>
          {categories.map(({ slug, name }) => (
            <Link key={slug} to={`/categories/${slug}`}>
              {name}
            </Link>
          ))}
        </nav>
      )}
      {policies.length > 0 && (
        <nav aria-label="Policies">
          <b>Help</b>
          {policies.map(({ type, title }) => (
            <Link key={type} to={`/policies/${type}`}>
              {title}
            </Link>
          ))}
        </nav>
      )}
    </div>
  </footer>
);
