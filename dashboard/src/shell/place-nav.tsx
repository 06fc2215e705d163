import { NavLink } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { collectionsQuery } from '../content/queries.ts';
import { useRecentCollections } from '../content/recent-collections.ts';
import { t } from '../languages/translate.ts';
import { Icon } from '../shared/icons.tsx';
import { useRights } from '../users/rights.ts';
import { itemOf, type Place, placeOf } from './navigation.ts';

/** Of each kind. More are behind "All collections". */
const SHOWN_COLLECTIONS = 6;

/** The places, and below the one that is open its pages. */
export function PlaceNav({ places, path }: { places: readonly Place[]; path: string }) {
  const place = placeOf(places, path);
  const item = itemOf(places, path);
  return (
    <nav aria-label={t('Main')}>
      {places.map((each) => (
        <div key={each.label}>
          <NavLink
            component={Link}
            to={each.to}
            label={each.label}
            leftSection={<Icon name={each.icon} />}
            active={each === place}
            aria-current={each === place && path === each.to ? 'page' : undefined}
            variant="light"
            mb={2}
            py={7}
            style={{ borderRadius: 8 }}
          />
          {each === place && each.to === '/content' && <Collections path={path} />}
          {each === place &&
            each.items.map(({ to, label }) => (
              <SubLink key={to} to={to} label={label} isActive={item?.to === to && !isCollection(path)} />
            ))}
        </div>
      ))}
    </nav>
  );
}

const isCollection = (path: string) => /^\/content\/col_/.test(path);

/** The collections that were opened last, and those of a single entry. */
function Collections({ path }: { path: string }) {
  const { data = [] } = useQuery({ ...collectionsQuery(), enabled: useRights().may('read') });
  const recent = useRecentCollections();
  const rank = (id: string) => (recent.includes(id) ? recent.indexOf(id) : recent.length);
  const latest = data.toSorted((a, b) => rank(a.id) - rank(b.id));
  const single = latest.filter(({ singleton }) => singleton).slice(0, SHOWN_COLLECTIONS);
  const others = latest.filter(({ singleton }) => !singleton).slice(0, SHOWN_COLLECTIONS);
  return [...single, ...others]
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ id, name }) => (
      <SubLink key={id} to={`/content/${id}`} label={name} isActive={path.startsWith(`/content/${id}`)} />
    ));
}

interface SubLinkProps {
  to: string;
  label: string;
  isActive: boolean;
}

/** The pages below one are not the same. */
const EXACT = { exact: true };

const SubLink = ({ to, label, isActive }: SubLinkProps) => (
  <NavLink
    component={Link}
    to={to}
    label={label}
    activeOptions={EXACT}
    active={isActive}
    aria-current={isActive ? 'page' : undefined}
    variant="subtle"
    py={3}
    ps={40}
    style={{ borderRadius: 8 }}
    styles={{ label: { fontSize: 13, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } }}
  />
);
