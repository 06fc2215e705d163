// Slow: starts the service and each command on data folders of each kind.
import { testRefusedFolders } from './data-folders.ts';

testRefusedFolders('every command');
