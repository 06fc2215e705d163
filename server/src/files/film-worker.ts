import { parentPort, workerData } from 'node:worker_threads';
import { readFilm } from './read-film.ts';

parentPort?.postMessage(await readFilm(workerData as string));
