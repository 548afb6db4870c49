import { Badge } from "@mantine/core";
import type { MediaState } from "#app/domain/catalog/media/media.server.ts";
import "#app/ui/theme/mantine.css";
import { STATE_COLORS, STATE_LABELS } from "./media-labels.ts";

interface StateBadgeProps {
  state: MediaState;
  isExpired?: boolean;
}

export function StateBadge({ state, isExpired = false }: StateBadgeProps) {
  return (
    <Badge component="span" variant="light" color={isExpired ? "gray" : STATE_COLORS[state]}>
      {isExpired ? "Expired" : STATE_LABELS[state]}
    </Badge>
  );
}
