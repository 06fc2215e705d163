import type { Experiment } from '@headwater/sdk';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { installRecipes } from '../onboarding/install-recipes.ts';
import { loadScript } from '../onboarding/installation-page.tsx';
import { headwater } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { CopyField } from '../shared/copy-field.tsx';
import { GuideLink } from '../shared/guide-link.tsx';
import { Loaded } from '../shared/states.tsx';

/** What visitors are assigned by. */
type Assigned = Pick<Experiment, 'key' | 'variants' | 'coverage' | 'preceding' | 'holdout' | 'shippedVariant'>;

const assignedBy = ({ key, variants, coverage, preceding, holdout, shippedVariant }: Assigned) => ({
  ...{ key, coverage, variants: variants.map((variant) => ({ key: variant.key, weight: variant.weight })) },
  ...(preceding.length > 0 && { preceding }),
  ...(holdout > 0 && { holdout }),
  ...(shippedVariant !== null && { shippedVariant }),
});

async function loadSnippet(experiment: Experiment, signal: AbortSignal): Promise<string> {
  const [script, account, inlined] = await Promise.all([
    loadScript({ signal }),
    headwater.getAccount({ signal }),
    fetch('/headwater-experiments.js', { signal }).then((response) => response.text()),
  ]);
  const key = account.publishableKey;
  const url = `/v1/experiments/running?key=${encodeURIComponent(key ?? '')}`;
  const running: Assigned[] = key === null ? [] : (await (await fetch(url, { signal })).json()).experiments;
  const others = running.filter((each) => each.key !== experiment.key);
  const experiments = JSON.stringify([...others, experiment].map(assignedBy));
  const [head = '', ...rest] = (installRecipes(key ?? 'hw_pk_…', script.latest).html?.code ?? '').split('\n');
  // After the line, which keeps an object that is there.
  const withExperiments = head.replace('</script>', () => `;headwater.experiments=${experiments}</script>`);
  return [withExperiments, `<script>${inlined}</script>`, ...rest].join('\n');
}

/** What a page inlines to decide its variant before it is painted. */
export function PageSnippet({ experiment }: { experiment: Experiment }) {
  const query = useQuery({
    queryKey: ['experiments', experiment.id, 'snippet', experiment.updatedAt],
    queryFn: ({ signal }) => loadSnippet(experiment, signal),
  });
  const { key, variants } = experiment;
  const use = `<script>\n  if (headwater.variant('${key}') === '${variants.at(-1)?.key}') {\n    // …\n  }\n</script>`;
  return (
    <Card title={t('On your page')}>
      <Text size="sm">
        {t('In the head of the page, instead of the script: it decides before anything is painted.')}
      </Text>
      <Loaded query={query} rows={3}>
        {(snippet) => <CopyField block label={t('Snippet')} value={snippet} />}
      </Loaded>
      <CopyField block label={t('Use of the variant')} value={use} />
      <GuideLink to="experiments#assign-and-expose-visitors">{t('Guide: variants of pages')}</GuideLink>
    </Card>
  );
}
