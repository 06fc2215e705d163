/** An in-memory S3 server on the given port, for the upload bench. Prints its STORAGE_URL when it is ready. */
import { startS3Server } from '../test/s3-server.ts';

const { url } = await startS3Server(Number(process.argv[2]));
process.stdout.write(`${url}\n`);
