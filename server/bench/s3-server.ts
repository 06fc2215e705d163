/** An S3 server on the port that is given, in memory: where the bench uploads to. It prints its STORAGE_URL when it listens. */
import { startS3Server } from '../test/s3-server.ts';

const { url } = await startS3Server(Number(process.argv[2]));
process.stdout.write(`${url}\n`);
