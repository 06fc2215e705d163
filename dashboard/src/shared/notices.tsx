import { Notifications, notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.css';

export { notifications };

/** The container of notifications. */
export default function Notices() {
  return <Notifications position="bottom-left" />;
}
