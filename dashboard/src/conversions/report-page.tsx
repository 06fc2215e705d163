import { Anchor, Tabs } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Page } from '../shared/page.tsx';
import { ReportOne } from './report-one.tsx';
import { UploadList } from './upload-list.tsx';

export function ReportPage() {
  return (
    <Page
      title="Report conversions"
      description="Sales that your own systems do not report by themselves. Each is matched to the visit or the ad click that brought it."
      back={
        <Anchor component={Link} to="/conversions" size="sm" c="dimmed">
          Conversions
        </Anchor>
      }
    >
      <Tabs defaultValue="list" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="list">A list</Tabs.Tab>
          <Tabs.Tab value="one">A single one</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="list">
          <UploadList />
        </Tabs.Panel>
        <Tabs.Panel value="one">
          <ReportOne />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
