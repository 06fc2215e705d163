import { useState } from 'react';
import { Page } from '../shared/page.tsx';
import { FileBrowser } from './file-browser.tsx';
import { FileDrawer } from './file-drawer.tsx';

export function FilesPage() {
  const [assetId, setAssetId] = useState<string>();
  return (
    <Page wide title="Files" description="Images and videos for your entries.">
      <FileBrowser onSelect={(file) => setAssetId(file.assetId)} />
      {assetId !== undefined && <FileDrawer assetId={assetId} onClose={() => setAssetId(undefined)} />}
    </Page>
  );
}
