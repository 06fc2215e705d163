import { t } from '../languages/translate.ts';
import { Page } from '../shared/page.tsx';
import { useSearchState } from '../shared/use-search-state.ts';
import { FileBrowser } from './file-browser.tsx';
import { FileDrawer } from './file-drawer.tsx';

export function FilesPage() {
  const [{ file }, set] = useSearchState<{ file?: string }>();
  return (
    <Page wide title={t('Files')} description={t('Images and videos for your entries.')}>
      <FileBrowser isSelectable onSelect={({ assetId }) => set({ file: assetId })} />
      {file !== undefined && <FileDrawer key={file} assetId={file} onClose={() => set({ file: undefined })} />}
    </Page>
  );
}
