import { Notifications, notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.css';

export { notifications };

/** Where notices appear. */
export default function Notices() {
  return <Notifications position="bottom-right" />;
}
