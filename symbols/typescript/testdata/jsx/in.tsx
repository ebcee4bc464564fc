'use client';
// Buttons that do not break.

import React from 'react';

type Props = { label: string };

export function Button({ label }: Props) {
  return (
    <button onClick={() => {}}>
      Don't {label} { '}' }
    </button>
  );
}

const Plain = <T,>(props: T) => <div>{"}"}</div>;

export default class Page extends React.Component<Props> {
  state = { open: false };
  render() {
    return <Button label="a" />;
  }
}
