/** A process for one film: its path comes as the argument, the report goes to standard output, and nothing else does. */
import { writeSync } from 'node:fs';
import { Logging, LogLevel } from 'mediabunny';
import { readFilm } from './read-film.ts';

Logging.level = LogLevel.Silent;
writeSync(1, JSON.stringify(await readFilm(process.argv[2] ?? '')));
process.exit();
