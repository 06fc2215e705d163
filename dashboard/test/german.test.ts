// Slow: a real browser. Its proof opens every page, and changes the language.
import { testGermanPages } from './german.ts';
import './shared.ts';

testGermanPages((path) => ['/overview', '/content/new'].includes(path));
