import { Button, type ButtonProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ComponentPropsWithoutRef } from 'react';
import { Icon, type IconName } from './icons.tsx';

interface IconButtonProps extends ButtonProps, Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> {
  icon: IconName;
  /** Makes the button a link to a page of the dashboard. */
  to?: string;
}

/** A button with an icon before its text. */
export function IconButton({ icon, to, ...props }: IconButtonProps) {
  const leftSection = <Icon name={icon} size={props.size?.toString().startsWith('compact') ? 14 : 16} />;
  if (to === undefined) return <Button leftSection={leftSection} {...props} />;
  const { children, variant, size, disabled } = props;
  return (
    <Button component={Link} to={to} leftSection={leftSection} variant={variant} size={size} disabled={disabled}>
      {children}
    </Button>
  );
}
