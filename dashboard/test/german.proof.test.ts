// Slow: it opens 33 pages, at two widths.
import { testGermanPages } from './german.ts';
import './shared.ts';

testGermanPages(() => true);
