import { Stack, Tabs } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { Page } from '../shared/page.tsx';
import { ConversionImports } from './conversion-imports.tsx';
import { CsvUpload } from './csv-upload.tsx';
import { SingleConversion } from './single-conversion.tsx';

export function AddConversionsPage() {
  return (
    <Page
      title={t('Add conversions')}
      description={t('Sales that your own systems do not report. Each is matched to its session or ad click.')}
      back={{ to: '/conversions', label: t('Conversions') }}
    >
      <Tabs defaultValue="csv" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="csv">{t('CSV upload')}</Tabs.Tab>
          <Tabs.Tab value="single">{t('Single conversion')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="csv">
          <Stack gap="lg">
            <CsvUpload />
            <ConversionImports />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="single">
          <SingleConversion />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
