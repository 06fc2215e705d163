import type { AssetValue } from '@headwater/sdk';
import { useState } from 'react';
import { Page } from '../shared/page.tsx';
import { FileBrowser } from './file-browser.tsx';
import { FileDrawer } from './file-drawer.tsx';

export function FilesPage() {
  const [opened, setOpened] = useState<AssetValue>();
  return (
    <Page wide title="Files" description="Images and videos that your entries show.">
      <FileBrowser onChoose={setOpened} />
      <FileDrawer assetId={opened?.assetId} onClose={() => setOpened(undefined)} />
    </Page>
  );
}
